"""Back and forward."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.ui.history import MOST, History, Place, PlaceKind

A, B, C = (Place(PlaceKind.CARD, f"x#{n}") for n in (1, 2, 3))
PAGE = Place(PlaceKind.PAGE, "x#1")
quick = settings(deadline=None, max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def history(*places: Place) -> History:
    made = History()
    for place in places:
        made.visit(place, moving=False)
    return made


def test_an_empty_history_leads_nowhere() -> None:
    empty = History()
    assert empty.current is None
    assert not any(empty.can_go(steps) for steps in (-1, 0, 1))
    assert empty.go(-1) is None
    empty.note_scroll(7)
    assert empty.current is None


def test_back_and_forward_go_along_the_places() -> None:
    made = history(A, B, C)
    assert [made.go(-1), made.go(-1), made.go(-1), made.go(2), made.go(1)] == [B, A, None, C, None]
    assert made.current == C


def test_a_new_place_drops_what_was_ahead() -> None:
    made = history(A, B, C)
    made.go(-2)
    made.visit(PAGE, moving=False)
    assert made.current == PAGE
    assert not made.can_go(1)
    assert made.go(-1) == A


def test_the_same_place_again_is_one_place_however_it_is_scrolled() -> None:
    made = history(A, A._replace(scroll=9))
    assert not made.can_go(-1)
    assert history(A, PAGE).can_go(-1)


def test_moving_leaves_one_place() -> None:
    made = history(A)
    for place in (B, C, PAGE):
        made.visit(place, moving=True)
    assert made.current == PAGE
    assert made.go(-1) == A
    assert not made.can_go(-1)


def test_a_place_that_was_chosen_is_not_replaced_by_moving() -> None:
    made = History()
    made.visit(A, moving=True)
    made.visit(B, moving=False)
    made.visit(C, moving=True)
    assert [made.go(-1), made.go(-1)] == [B, A]


def test_the_scroll_is_kept_with_the_present_place_only() -> None:
    made = history(A, B)
    made.note_scroll(120)
    assert made.go(-1) == A
    made.note_scroll(7)
    assert made.go(1) == B._replace(scroll=120)
    assert made.go(-1) == A._replace(scroll=7)


@quick
@given(st.lists(st.one_of(st.tuples(st.integers(1, 4), st.booleans()), st.integers(-3, 3)), max_size=40))
def test_the_present_place_is_always_the_one_that_was_asked_for(steps: list[tuple[int, bool] | int]) -> None:
    made = History()
    for step in steps:
        if isinstance(step, int):
            before, possible = made.current, made.can_go(step)
            reached = made.go(step)
            assert (reached is not None) is possible
            assert made.current == (reached if possible else before)
            if reached is not None:
                assert made.can_go(-step)
        else:
            number, moving = step
            made.visit(Place(PlaceKind.CARD, f"x#{number}"), moving=moving)
            assert made.current is not None
            assert made.current.id == f"x#{number}"


@quick
@given(st.integers(0, 2 * MOST), st.booleans())
def test_no_more_places_are_kept_than_the_most(count: int, moving: bool) -> None:
    made = History()
    for number in range(count):
        made.visit(Place(PlaceKind.CARD, f"x#{number}"), moving=moving)
    back = 0
    while made.go(-1) is not None:
        back += 1
    assert back == max(0, (min(count, 1) if moving else min(count, MOST)) - 1)
