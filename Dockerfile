# Runs the API by default, and the migration with the command `node dist/migrate.js`. Build it with: docker build -t profile-service-api .
# It uses plain instructions only, so that old versions of BuildKit can build it.

FROM node:24-bookworm-slim AS manifests
ENV CI=true
WORKDIR /repo
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* ./
RUN npm install --global "pnpm@$(node -p "require('./package.json').packageManager.replace('pnpm@', '')")"
# The lockfile names every workspace package. Sources are copied later, so that a change of a source does not repeat the installation.
COPY apps/api/package.json apps/api/
COPY packages/auth/package.json packages/auth/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/db/package.json packages/db/
COPY packages/local-stack/package.json packages/local-stack/
COPY packages/operations/package.json packages/operations/
COPY packages/record-files/package.json packages/record-files/
COPY packages/storage/package.json packages/storage/
COPY packages/webhooks/package.json packages/webhooks/
COPY bench/package.json bench/
COPY examples/frontend/package.json examples/frontend/
COPY examples/keep-a-copy/package.json examples/keep-a-copy/

# --filter-prod installs the API's production packages, without the local stack that only tests need.
# --no-optional leaves out the Node of the root package, which `npm start` and `npm test` use.
FROM manifests AS dependencies
RUN pnpm install --frozen-lockfile --prod --no-optional --filter-prod '@profile-service/api...'
# The bundle has the code of these packages. Their manifests and licences stay, so that scanners find them.
RUN find node_modules -type f ! -name package.json ! -iregex '.*/\(licen[cs]e\|notice\)[^/.]*\(\.\(md\|txt\|mit\|bsd\)\)?' -delete \
    && find node_modules -type d -empty -delete

FROM manifests AS build
RUN pnpm install --frozen-lockfile --filter-prod '@profile-service/api...'
COPY tsconfig.base.json ./
COPY packages packages
COPY apps/api apps/api
RUN pnpm --filter @profile-service/api build

# Runs `node dist/backup.js` and `node dist/restore.js` with the client programs of PostgreSQL 18, which work with servers from version 15 on.
# Build it with: docker build --target recovery -t profile-service-recovery .
FROM postgres:18 AS recovery
ENV NODE_ENV=production
WORKDIR /app/apps/api
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY apps/api/package.json ./
COPY --from=build /repo/apps/api/dist ./dist
USER 1000:1000
ENTRYPOINT []
CMD ["node", "dist/backup.js", "--help"]

FROM node:24-bookworm-slim AS api
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app/apps/api
COPY --from=dependencies /repo/node_modules /app/node_modules
COPY --from=dependencies /repo/apps/api/node_modules ./node_modules
COPY apps/api/package.json ./
COPY --from=build /repo/apps/api/dist ./dist
# A numeric user lets an orchestrator verify that it is not root. The files belong to root, so the process cannot change them.
USER 1000:1000
EXPOSE 3000
# In MiB, a third of V8's space for new objects, and from where on V8 collects old ones. docs/run/deployment.md says what they save.
CMD ["node", "--max-semi-space-size=16", "--initial-old-space-size=64", "dist/main.js"]
