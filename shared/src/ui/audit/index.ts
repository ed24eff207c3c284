/** Entries of the audit log in words. Loaded by the pages that show the log; its texts are those of the namespace `audit`. */
export { ACCOUNT_ACTIONS, ActionFilter, POOL_ACTIONS } from './action-filter';
export { AUDIT_CSV, AuditSubject, useAuditColumns } from './audit-list';
export { useAuditText } from './audit-text';
