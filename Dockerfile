# kvrank in an image: the bundled Redis and the embedded engines run with nothing else.
#
#   docker build -t kvrank .                        builds kvrank in the image
#   docker build -t kvrank --target prebuilt .      takes the tree that Maven built here
#   docker run --rm -v "$PWD/results:/kvrank/results" kvrank run quick
#
# docs/how-to/ci.md has more. A machine that cannot reach an image registry can make the base images
# from a local debian:bookworm-slim and Debian's packages, with the certificates of a proxy:
#
#   for image in maven java; do
#     tar -c -C .ci/images/$image Dockerfile -C /usr/local/share/ca-certificates . |
#       docker build --network=host -t local/$image:17 -
#   done
#   docker build --network=host --build-arg BUILD_IMAGE=local/maven:17 \
#     --build-arg RUN_IMAGE=local/java:17 -t kvrank .
ARG BUILD_IMAGE=maven:3.9-eclipse-temurin-17
ARG RUN_IMAGE=eclipse-temurin:17-jre

# The runtime environment, without kvrank.
FROM ${RUN_IMAGE} AS base
# RocksDB needs the C++ runtime, charts as PNG need fonts.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libstdc++6 fontconfig fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --home-dir /kvrank --no-create-home kvrank \
    && install -d -o kvrank -g kvrank /kvrank /kvrank/results
WORKDIR /kvrank
# Results and the engines' data: never on the image's layers, which are slow and not a disk.
VOLUME /kvrank/results
USER kvrank
ENTRYPOINT ["/kvrank/kvrank"]
CMD ["--help"]

# From a tree that is built: mvn -DskipTests package.
FROM base AS prebuilt
COPY --chown=kvrank:kvrank . /kvrank
RUN ["/kvrank/launcher/archive-classes"]

FROM ${BUILD_IMAGE} AS build
WORKDIR /source
COPY . .
# Builds all targets here, without tests and checks, even if the context has some.
RUN mvn --batch-mode --no-transfer-progress -P '!checks' -Dkvrank.archive.skip=true clean package \
    && rm -rf pom.xml */src bindings/*/src .mvn Dockerfile

FROM base AS runtime
COPY --from=build --chown=kvrank:kvrank /source /kvrank
# The JVM that will use the archived classes archives them in their folder.
RUN ["/kvrank/launcher/archive-classes"]
