# One image for all processes of the service. The command chooses the process: dist/packages/records/bin/records.js, or
# dist/bin/api.js, worker.js, reindex.js, deploy.js, keys.js, backup.js or restore.js.

FROM node:22.23.1-bookworm@sha256:5647be709086c696ff32edaaf1c70cd26d1da6ab2b39c32f3c7b4c4a31957e37 AS build
WORKDIR /build
# Install scripts are off, because the service needs none of them but that of better-sqlite3, which `npm rebuild`
# runs. It compiles the package where no binary can be fetched. With Node.js 24.19 or later that needs the flag of
# scripts/setup/native-flags.mjs.
COPY package.json package-lock.json ./
# npm links the packages of the workspace, so their manifests have to be there before it installs.
COPY packages/plain-english/package.json packages/plain-english/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild better-sqlite3
# .dockerignore lets the sources pass, but no tests.
COPY . .
RUN node scripts/build.mjs
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && node deploy/image/trim-packages.mjs

FROM node:22.23.1-bookworm-slim@sha256:6c74791e557ce11fc957704f6d4fe134a7bc8d6f5ca4403205b2966bd488f6b3
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    WORKER_PROBE_PORT=3002 \
    LOG_FORMAT=json
WORKDIR /app
# The code belongs to root, so that an attacker in the process cannot change it. The service owns /data alone.
RUN install -d -o 1000 -g 1000 -m 0700 /data
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
# A link in node_modules leads to this folder. It has no sources, and .dockerignore keeps tests and training out of
# dist.
COPY --from=build /build/packages/plain-english/package.json packages/plain-english/
COPY --from=build /build/packages/plain-english/dist packages/plain-english/dist
COPY package.json LICENSE ./
COPY deploy/image/healthcheck.mjs ./
# This is the user `node`. It is given by number, because some orchestrators require a number to see that it is not
# root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 3001 3002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "healthcheck.mjs"]
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/bin/api.js"]
