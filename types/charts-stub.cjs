/** Stands in for the chart library in unit tests. */
module.exports = { Column: () => null };
