"""The server of ``fastqueens explore`` in a thread of this process."""

import threading
from contextlib import contextmanager


@contextmanager
def serving(app, port=0):
    """Run a server, on any free port by default; yield its port. It has to end within half a minute."""
    from fastqueens.explorer import server

    listener = server.listening(port)
    running = server.server_of(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        running.should_exit = True
        thread.join(30)
        listener.close()
        assert not thread.is_alive(), "the server has not ended"
