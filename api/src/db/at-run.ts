/**
 * A value that the planner does not see. Where it sees the times or the accounts of a statement over partitions, it
 * plans the statement at each run: such a plan leaves partitions out, and so seems cheaper by more than the planning
 * costs. What is not needed is left out all the same, when the statement runs.
 */
export const atRun = (sql: string): string => `(select ${sql})`;
