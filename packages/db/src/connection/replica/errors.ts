/** The current position of the primary is unknown. `cause` says why. */
export class PrimaryPositionError extends Error {}

/** The server is not a replica of the primary. The message says why. */
export class NotAReplicaError extends Error {}

/** The replica works, but has been behind the primary for 5 seconds. */
export class ReplicaLagError extends Error {}

/** Connections to the replica lead to different servers, so that the position of one says nothing about the other. */
export class OtherServerError extends Error {}
