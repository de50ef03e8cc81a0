"""How Chinese sounds: toneless pinyin of texts for the index, and of what is typed.

The library is imported when it is first needed: it takes longer than a search.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# They begin the tokens of syllables and of initials, so that no text is taken for them.
_SYLLABLE = "\uf000"
_INITIAL = "\uf001"
_BREAK = "\uf002"
LEAST_INITIALS = 3
LONGEST = 40  # letters that are taken for pinyin
_HAN = re.compile("[\u4e00-\u9fff]+")


@cache
def _tables() -> tuple[dict[int, str], dict[str, list[list[str]]]]:
    """Return the readings of characters and of words, with tones."""
    from pypinyin.constants import PHRASES_DICT, PINYIN_DICT

    return PINYIN_DICT, PHRASES_DICT


@cache
def _toneless(reading: str) -> str:
    from pypinyin.contrib.tone_convert import to_normal

    return str(to_normal(reading))


@lru_cache(30_000)
def _in_pair(pair: str) -> tuple[str, str]:
    """Return how the characters of a word of two are read."""
    first, second = _tables()[1][pair]
    return _toneless(first[0]), _toneless(second[0])


@lru_cache(30_000)
def _alone(character: str) -> str:
    """Return how a character is usually read, or itself where nobody knows."""
    return _toneless(_tables()[0].get(ord(character), "").partition(",")[0]) or character


def _syllables(text: str) -> list[str]:
    """Return the reading of each character: in the word that it makes with the next or the last, or else alone."""
    words = _tables()[1]
    read = list(map(_alone, text))
    for i, pair in enumerate(map(add, text, text[1:])):
        if pair in words:
            read[i : i + 2] = _in_pair(pair)
    return read


def sound(text: str) -> str:
    """Return the syllables of Chinese characters, parted by blanks; empty for anything else."""
    return " ".join(_syllables(text)) if _HAN.fullmatch(text) else ""


def sound_tokens(texts: Iterable[str]) -> list[str]:
    """Return the index tokens for the sound of all Chinese in ``texts``: syllables, then initials."""
    runs = [_syllables(run) for text in texts for run in _HAN.findall(text)]
    tokens: list[str] = []
    for run in runs:
        tokens += [_SYLLABLE + syllable for syllable in run]
        tokens.append(_BREAK)
    for run in runs:
        tokens += [_INITIAL + syllable[0] for syllable in run]
        tokens.append(_BREAK)
    return tokens


# All syllables without tone, as the library writes them.
_SYLLABLES = (
    "a ai an ang ao ba bai ban bang bao bei ben beng bi bian biang biao bie bin bing bo bong bu ca cai can cang "
    "cao ce cei cen ceng cha chai chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui "
    "chun chuo ci cong cou cu cuan cui cun cuo da dai dan dang dao de dei den deng di dia dian diao die din ding "
    "diu dong dou du duan dui dun duo e ei en eng er fa fan fang fei fen feng fiao fo fou fu ga gai gan gang gao "
    "ge gei gen geng gong gou gu gua guai guan guang gui gun guo ha hai han hang hao he hei hen heng hong hou hu "
    "hua huai huan huang hui hun huo ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue jun ka kai kan "
    "kang kao ke kei ken keng kong kou ku kua kuai kuan kuang kui kun kuo la lai lan lang lao le lei len leng li "
    "lia lian liang liao lie lin ling liu lo long lou lu luan lun luo lv lve ma mai man mang mao me mei men meng "
    "mi mian miao mie min ming miu mo mou mu na nai nan nang nao ne nei nen neng ni nia nian niang niao nie nin "
    "ning niu nong nou nu nuan nun nuo nv nve o ou pa pai pan pang pao pei pen peng pi pian piao pie pin ping po "
    "pou pu qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun ran rang rao re ren reng ri rong rou ru "
    "rua ruan rui run ruo sa sai san sang sao se sen seng sha shai shan shang shao she shei shen sheng shi shou "
    "shu shua shuai shuan shuang shui shun shuo si song sou su suan sui sun suo ta tai tan tang tao te tei teng "
    "ti tian tiao tie ting tong tou tu tuan tui tun tuo wa wai wan wang wei wen weng wo wong wu xi xia xian xiang "
    "xiao xie xin xing xiong xiu xu xuan xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun za "
    "zai zan zang zao ze zei zen zeng zha zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua zhuai "
    "zhuan zhuang zhui zhun zhuo zi zong zou zu zuan zui zun zuo "
)  # fmt: skip
_KNOWN = frozenset(_SYLLABLES.split())


def split(letters: str) -> list[str]:
    """Cut typed letters into as few syllables as possible, the last may be a beginning; empty if they are no pinyin."""
    if not re.fullmatch(rf"[a-z]{{2,{LONGEST}}}", letters):
        return []
    best: list[list[str] | None] = [[]] + [None] * len(letters)
    for end in range(1, len(letters) + 1):
        for start in range(max(0, end - 6), end):
            before, piece = best[start], letters[start:end]
            is_whole = piece in _KNOWN or (end == len(letters) and start and any(s.startswith(piece) for s in _KNOWN))
            if before is not None and is_whole and (best[end] is None or len(before) + 1 < len(best[end] or ())):
                best[end] = [*before, piece]
    return best[-1] or []


def sound_phrases(letters: str) -> list[list[str]]:
    """Return what typed letters can stand for in the index: phrases of tokens, the last one a beginning."""
    phrases = []
    syllables = split(letters)
    if len(syllables) > 1:
        phrases.append([_SYLLABLE + syllable for syllable in syllables])
    if LEAST_INITIALS <= len(letters) <= LONGEST and re.fullmatch("[a-z]+", letters):
        phrases.append([_INITIAL + letter for letter in letters])
    return phrases
