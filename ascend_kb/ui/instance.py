"""One program for each data folder: a second start raises the first."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, Signal

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtNetwork import QLocalServer

_CONNECT_FOR = 5000  # milliseconds that a second start waits for the first one to answer
_ANSWER_FOR = 3000
_LONGEST = 64 * 1024  # bytes of a message


class Instance(QObject):
    """Decides who owns a data folder, and carries requests from later starts to the owner.

    The owner holds a lock file in the data folder; a crashed owner's lock and socket are taken over. Where the folder
    cannot be written there is no owner and every start stands for itself.
    """

    requested = Signal(str)  # the knowledge file that a later start names, or an empty string

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._name = (
            "ascend-kb-"
            + hashlib.sha256(f"{os.getuid() if hasattr(os, 'getuid') else ''}{home}".encode()).hexdigest()[:16]
        )
        self._lock = QLockFile(str(home / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._home = home
        self._server: QLocalServer | None = None

    def claim(self) -> bool:
        """Become the owner; False if another program is."""
        try:
            self._home.mkdir(parents=True, exist_ok=True)
        except OSError:
            return True
        return self._lock.tryLock(0) or self._lock.error() != QLockFile.LockError.LockFailedError

    def listen(self) -> None:
        """Take requests of later starts from now on."""
        from PySide6.QtNetwork import QLocalServer

        if not self._lock.isLocked():
            return
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._on_connection)
        if not server.listen(self._name):
            QLocalServer.removeServer(self._name)  # left by an owner that crashed: we hold the lock
            server.listen(self._name)
        self._server = server

    def hand_over(self, path: str) -> bool:
        """Ask the owner to raise its window, or to open ``path``; False if it does not answer."""
        from PySide6.QtCore import QDeadlineTimer
        from PySide6.QtNetwork import QLocalSocket

        deadline = QDeadlineTimer(_CONNECT_FOR)
        while not deadline.hasExpired():
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(500):
                socket.write(os.fsencode(path) + b"\n")
                socket.waitForBytesWritten(_ANSWER_FOR)
                return socket.waitForReadyRead(_ANSWER_FOR)
            if self._lock.tryLock(200):  # the owner has just gone: the caller may become it
                return False
        return False

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._on_ready(socket))
            socket.disconnected.connect(socket.deleteLater)

    def _on_ready(self, socket: object) -> None:
        from PySide6.QtNetwork import QLocalSocket

        assert isinstance(socket, QLocalSocket)  # noqa: S101
        if not socket.canReadLine():
            if socket.bytesAvailable() > _LONGEST:
                socket.abort()
            return
        line = bytes(socket.readLine(_LONGEST).data()).rstrip(b"\n")
        socket.write(b"ok\n")
        socket.flush()
        self.requested.emit(os.fsdecode(line))

    def release(self) -> None:
        """Give up the data folder."""
        if self._server is not None:
            from PySide6.QtNetwork import QLocalSocket

            for socket in self._server.findChildren(QLocalSocket):
                socket.abort()  # Qt crashes over a socket that is deleted while it is connected
            self._server.close()
        self._lock.unlock()
