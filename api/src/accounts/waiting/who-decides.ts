/** The one place that decides who may see, confirm and end a change that waits. */
/** What is decided by of a row of `waiting_change`. */
export type Decided = {
  organizationId: string | null;
  askedBy: number | null;
  /** The person who loses something by the change. */
  against: number | null;
  endsAs: 'done' | 'expired';
};
/** The person who looks: `owns` is the organization that he acts in as an owner. */
export type Decider = { id: number; owns: string | null; isAdmin: boolean };

/**
 * Owners decide about their organization, admins about the pool. Nobody confirms an own change; who asked takes it
 * back; who loses something by it has no say in stopping it.
 */
export function mayDo(
  change: Decided,
  { id, owns, isAdmin }: Decider,
): { see: boolean; confirm: boolean; end: boolean } {
  const own = change.askedBy === id;
  const decides = change.organizationId === null ? isAdmin : owns === change.organizationId;
  return {
    see: own || decides,
    confirm: change.endsAs === 'expired' && decides && !own,
    end: own || (decides && change.against !== id),
  };
}
