FROM node:24-bookworm-slim AS build
WORKDIR /app
# Packages first: a change of sources alone does not install them again.
COPY package.json package-lock.json .npmrc ./
COPY api/package.json api/
COPY e2e/package.json e2e/
COPY shared/package.json shared/
COPY shell/package.json shell/
COPY mfe-admin/package.json mfe-admin/
COPY mfe-dashboard/package.json mfe-dashboard/
COPY mfe-payments/package.json mfe-payments/
COPY mfe-referral/package.json mfe-referral/
COPY mfe-workers/package.json mfe-workers/
COPY scripts/package.json scripts/
COPY scripts/nothing scripts/nothing
RUN npm ci --workspaces
COPY . .
# The build's name is shown in metrics (build_info): BUILD=$(git describe --always) docker compose build
ARG BUILD=image
# The remotes have a place of their own: in a container dist/remotes is a volume, which the start of a newer image adds to.
RUN BUILD=$BUILD npm run build && npm sbom --package-lock-only --omit dev --sbom-format spdx > api/dist/sbom.spdx.json && npm run remote -- publish --missing && mv dist/remotes bundled

# Only what runs: the bundled programs, what they read, and the packages that are not in a bundle (scripts/build/server.ts).
FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app
# pg_dump and pg_restore, for backups of a PostgreSQL 15 (scripts/backup.ts).
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/node_modules/@electric-sql ./node_modules/@electric-sql
COPY --from=build /app/node_modules/@clerk/clerk-js ./node_modules/@clerk/clerk-js
COPY --from=build /app/node_modules/fs-native-extensions ./node_modules/fs-native-extensions
COPY --from=build /app/node_modules/require-addon ./node_modules/require-addon
COPY --from=build /app/node_modules/bare-addon-resolve ./node_modules/bare-addon-resolve
COPY --from=build /app/node_modules/bare-module-resolve ./node_modules/bare-module-resolve
COPY --from=build /app/node_modules/bare-semver ./node_modules/bare-semver
COPY --from=build /app/node_modules/which-runtime ./node_modules/which-runtime
COPY --from=build /app/api/dist ./api/dist
COPY --from=build /app/api/src/platform/db/migrations ./api/src/platform/db/migrations
COPY --from=build /app/api/src/messages/texts ./api/src/messages/texts
COPY --from=build /app/shell/locales ./shell/locales
COPY --from=build /app/shared/locales ./shared/locales
COPY --from=build /app/dist ./dist
COPY --from=build /app/bundled ./bundled
RUN mkdir /data /backups dist/remotes && chown node:node /data /backups dist/remotes
ARG BUILD=image
LABEL org.opencontainers.image.title="Mining pool" org.opencontainers.image.revision=$BUILD
USER node
VOLUME /data
EXPOSE 3000 3311 3312
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/ready').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--enable-source-maps", "api/dist/main.mjs"]
