# Any image with Node 26, npm, a shell and a user named node.
ARG NODE=docker.io/library/node:26-slim

FROM ${NODE} AS build
WORKDIR /srv/animal-store
COPY package.json package-lock.json .npmrc ./
# Without scripts, for the only one that counts brings Node, which is here already.
RUN npm ci --ignore-scripts --prefer-offline --no-audit --no-fund
COPY . .
RUN npm run prepare
# Leaves what runs. The optional packages are those of Prisma's command, and the query compilers those of other databases.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --prefer-offline --no-audit --no-fund \
 && rm -rf node_modules/.cache \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -exec rm {} + \
 && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_small_bg.postgresql.*' -exec rm {} + \
 && rm -rf src/dashboard src/studio/page src/dev.ts prisma.config.ts prepare.js codegen.ts clients/typescript/*.ts tsconfig.json package-lock.json .npmrc
# What is missing fails here, and not in front of its first reader. As the user who runs it later, for whom node keeps what
# it compiled.
RUN mkdir -p node_modules/.cache && chown node:node node_modules/.cache
USER node
RUN node deploy/every-door.ts

FROM ${NODE}
COPY --from=build /srv/animal-store /srv/animal-store
RUN mkdir -p /var/lib/animal-store && chown node:node /var/lib/animal-store
WORKDIR /srv/animal-store
USER node
ENV HOST=0.0.0.0 OPS_HOST=0.0.0.0 DATA_DIR=/var/lib/animal-store
VOLUME /var/lib/animal-store
EXPOSE 4000
STOPSIGNAL SIGTERM
CMD ["node", "--v8-pool-size=1", "--heap-growing-percent=50", "--max-semi-space-size=16", "src/start.js"]
