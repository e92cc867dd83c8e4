# The competition's container: see docs/kdd-cup.md. The base is pinned to an exact release; pin its digest where you build for a submission.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
# Scripts of packages run where the lock file's packages need them (SQLite's binding); our own build needs the sources.
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY tsconfig.json tsconfig.build.json tsconfig.client.json vite.config.ts ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20.20.2-bookworm-slim
# What the agent's Python and its sandbox need; nothing is fetched when the container runs.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap python3 python3-pandas util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir -p /input /output /logs \
  && chown node:node /output /logs
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
COPY configs ./configs
ENV NODE_ENV=production
USER node
ENTRYPOINT ["node", "/app/bin/daw-eval.js"]
CMD ["container"]
