# One target for each set of roles, with what it needs and no more:
#   all        the whole product in one container: Redis and Chromium (the default)
#   crawl      Chromium
#   api · indexer · scheduler
#   redis      for roles in containers of their own
# docker build --target api -t fossick-api .

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# The pages are built by programs for this platform, which stay behind; the clients of PostgreSQL and OpenSearch, which
# are optional packages, too, do not.
RUN node scripts/build-web.mjs \
  && rm -rf node_modules/@rolldown/binding-* node_modules/lightningcss-*-* \
  && node scripts/setup/drop-unused.mjs

# What every role needs.
FROM node:24-bookworm-slim AS base
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 700 /data \
  && ln -s /app/bin/fossick.js /usr/local/bin/fossick
WORKDIR /app
COPY --from=build /app ./
# HOME: Chromium and npm write below it, and the root file system is read-only.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data \
  HOME=/tmp \
  SETUP=off
USER node
VOLUME /data
STOPSIGNAL SIGTERM
# A role alone answers on HEALTH_PORT, the api and the whole product on PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${Number(process.env.HEALTH_PORT) || process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

FROM base AS api
EXPOSE 8080
CMD ["node", "/app/workers/api.ts"]

FROM base AS indexer
ENV HEALTH_PORT=8081
CMD ["node", "/app/workers/indexer.ts"]

FROM base AS scheduler
ENV HEALTH_PORT=8081
CMD ["node", "/app/workers/scheduler.ts"]

FROM debian:bookworm-slim AS redis
RUN apt-get update \
  && apt-get install -y --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o 1000 -g 1000 -m 700 /data
# As the user of the other images.
USER 1000:1000
VOLUME /data
STOPSIGNAL SIGTERM
CMD ["redis-server", "--bind", "0.0.0.0", "--protected-mode", "no", "--dir", "/data", "--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "noeviction", "--save", ""]

FROM base AS chromium
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-liberation \
  && rm -rf /var/lib/apt/lists/*
# CHROMIUM_SANDBOX: it needs user namespaces, which containers forbid; the container is the boundary.
ENV CHROMIUM_PATH=/usr/bin/chromium \
  CHROMIUM_SANDBOX=false
USER node

FROM chromium AS crawl
ENV HEALTH_PORT=8081
CMD ["node", "/app/workers/crawl.ts"]

FROM chromium AS all
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/*
USER node
EXPOSE 8080
CMD ["node", "/app/workers/all.ts"]
