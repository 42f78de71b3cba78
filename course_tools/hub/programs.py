"""Where configurable-http-proxy is, the one program of the hub that is not Python."""

import os
import shutil

NAME = "configurable-http-proxy"
PLACES = ("/usr/local/bin", "/usr/bin", "/opt/node/bin")


def proxy_command() -> tuple[str, ...]:
    """The command that starts it, by full paths; () if it is not there."""
    search = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    node, script = (shutil.which(name, path=search) for name in ("node", NAME))
    if not node or not script:
        return ()
    return (node, os.path.realpath(script))
