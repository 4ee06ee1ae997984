#!/bin/bash
# Whether the service in this container answers; a container that does not serve is healthy. TERCET_PORT is the port, if
# it is not the usual one.
read -r -d '' -a command < <(tr '\0' ' ' < "${TERCET_COMMAND_LINE:-/proc/1/cmdline}")
[ "${command[1]:-}" = serve ] || exit 0
exec 3<> "/dev/tcp/127.0.0.1/${TERCET_PORT:-8377}" || exit 1
printf 'GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "${TERCET_PORT:-8377}" >&3
read -r -t 4 _ status _ <&3
[ "$status" = 200 ]
