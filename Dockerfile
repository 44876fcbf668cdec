# The program in a container: it builds datasets and serves them. `npm run package` first, then `docker build --tag cairn .`; docs/guides/hosting.md says how it is run.
FROM node:20.19.5-bookworm-slim

ARG TARBALL=.cairn/cairn-map-*.tgz
WORKDIR /opt/cairn
COPY ${TARBALL} cairn.tgz
RUN npm install --omit=dev --no-audit --no-fund ./cairn.tgz \
  && rm cairn.tgz \
  && npm cache clean --force
ENV PATH="/opt/cairn/node_modules/.bin:${PATH}"

# the image's user `node`
USER 1000:1000
WORKDIR /data
EXPOSE 8300
# of `cairn serve`; builds end before it is asked
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8300/dataset/manifest.json').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["cairn"]
CMD ["--help"]
