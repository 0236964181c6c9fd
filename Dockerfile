# One image for every role; the command chooses: workers/all.ts, api.ts, indexer.ts, scheduler.ts or crawl.ts.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# The pages are built by programs for this platform, which are optional packages and stay behind.
RUN node scripts/build-web.mjs \
  && npm prune --omit=dev --omit=optional --ignore-scripts \
  && node scripts/setup/drop-unused.mjs

# For roles that render no pages.
FROM node:24-bookworm-slim AS slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates redis-server \
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
EXPOSE 8080
STOPSIGNAL SIGTERM
# A role alone answers on HEALTH_PORT, the api and the whole product on PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${Number(process.env.HEALTH_PORT) || process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/workers/all.ts"]

# With Chromium: the whole product, and crawl processes.
FROM slim AS full
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-liberation \
  && rm -rf /var/lib/apt/lists/*
# CHROMIUM_SANDBOX: it needs user namespaces, which containers forbid; the container is the boundary.
ENV CHROMIUM_PATH=/usr/bin/chromium \
  CHROMIUM_SANDBOX=false
USER node
