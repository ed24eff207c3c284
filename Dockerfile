FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build && npm run remote -- publish --missing

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# pg_dump and pg_restore, for backups of a PostgreSQL 15 (scripts/backup.ts).
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY --from=build /app/package.json /app/package-lock.json /app/.npmrc /app/tsconfig.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/shared ./shared
COPY --from=build /app/api ./api
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/dist ./dist
# The server moves their pointers. A new volume is filled with these.
COPY --from=build --chown=node:node /app/dist/remotes ./dist/remotes
COPY --from=build /app/shell/dist ./shell/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3311 3312
CMD ["node", "--enable-source-maps", "api/dist/main.mjs"]
