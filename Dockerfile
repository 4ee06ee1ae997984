# The command and the service, built from this checkout:
#
#   docker build -t tercet .
#   docker run --rm -v "$PWD:/data:ro" tercet score -r /data/reference.txt /data/system.txt
#   docker run --rm -p 8377:8377 -e TERCET_TOKEN=secret tercet serve --listen 0.0.0.0:8377 --allow-host localhost:8377
#
# The image runs as a user without rights. A container that serves is healthy when /v1/health answers; one that runs
# another command has no health to check.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
ENV CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=symbols
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked -p tercet-cli \
 && python3 scripts/third_party.py tercet-cli /out \
 && cp target/release/tercet LICENSE-MIT LICENSE-APACHE /out/

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /home/tercet tercet
COPY --from=build /out/tercet /usr/local/bin/tercet
COPY --from=build /out/LICENSE-* /out/sbom.cdx.json /usr/share/doc/tercet/
COPY --chmod=755 scripts/docker_health.sh /usr/local/bin/tercet-health
USER tercet
WORKDIR /data
EXPOSE 8377
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["tercet-health"]
ENTRYPOINT ["tercet"]
CMD ["--help"]
