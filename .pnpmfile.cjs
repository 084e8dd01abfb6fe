// Removes packages that are not needed, and corrects manifests.
module.exports = {
  hooks: {
    readPackage(pkg) {
      // The service serves only the self-contained browser bundle of the API reference, not the 90 packages that it is built from.
      if (pkg.name === '@scalar/api-reference') pkg.dependencies = {};
      // tRPC needs the TypeScript compiler only for type checks. At run time it adds 4 MB, or 30 MB with its binaries.
      if (/^@trpc\/(client|server)$/.test(pkg.name)) delete pkg.peerDependencies?.typescript;
      // A bundler that builds the package itself.
      if (pkg.name === 'trpc-to-openapi') delete pkg.optionalDependencies?.['@rollup/rollup-linux-x64-gnu'];
      // These manifests have a text where pnpm expects a list. Without the list, pnpm installs the Node of other systems too.
      if (/^node-(linux|darwin|win)-/.test(pkg.name)) Object.assign(pkg, { os: [pkg.os].flat(), cpu: [pkg.cpu].flat() });
      return pkg;
    },
  },
};
