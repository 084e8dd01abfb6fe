# The API, and with another command its migration (node dist/migrate.js). From a clean clone: docker build -t profile-service-api .
# Plain instructions only, so that an old BuildKit builds it too.

FROM node:24-bookworm-slim AS manifests
ENV CI=true
WORKDIR /repo
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* ./
RUN npm install --global "pnpm@$(node -p "require('./package.json').devDependencies.pnpm")"
# Every workspace package, since the lockfile names them all; sources come later, so that only a changed manifest installs anew.
COPY apps/api/package.json apps/api/
COPY packages/auth/package.json packages/auth/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/db/package.json packages/db/
COPY packages/local-stack/package.json packages/local-stack/

# --filter-prod: what the API needs, not the local stack that it only needs in tests.
# --no-optional: the root's optional packages are a second Node, for clones on a machine with another one.
FROM manifests AS dependencies
RUN pnpm install --frozen-lockfile --prod --no-optional --filter-prod '@profile-service/api...'

FROM manifests AS build
RUN pnpm install --frozen-lockfile --filter-prod '@profile-service/api...'
COPY tsconfig.base.json ./
COPY packages packages
COPY apps/api apps/api
RUN pnpm --filter @profile-service/api build

FROM node:24-bookworm-slim AS api
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app/apps/api
COPY --from=dependencies /repo/node_modules /app/node_modules
COPY --from=dependencies /repo/apps/api/node_modules ./node_modules
COPY apps/api/package.json ./
COPY --from=build /repo/apps/api/dist ./dist
# Numeric, so that an orchestrator can see that it is not root; the files stay root's and can't be changed by the process.
USER 1000:1000
EXPOSE 3000
CMD ["node", "dist/main.js"]
