// Of the API reference only its self-contained browser bundle is served: the ninety packages that it was built from stay out.
module.exports = {
  hooks: {
    readPackage(pkg) {
      if (pkg.name === '@scalar/api-reference') pkg.dependencies = {};
      return pkg;
    },
  },
};
