// What production would carry for nothing stays out of it.
module.exports = {
  hooks: {
    readPackage(pkg) {
      // Of the API reference only its self-contained browser bundle is served, not the ninety packages that it was built from.
      if (pkg.name === '@scalar/api-reference') pkg.dependencies = {};
      // tRPC needs the compiler where somebody compiles, not where it runs: there it would be 4 MB, 30 with its binaries.
      if (/^@trpc\/(client|server)$/.test(pkg.name)) delete pkg.peerDependencies?.typescript;
      return pkg;
    },
  },
};
