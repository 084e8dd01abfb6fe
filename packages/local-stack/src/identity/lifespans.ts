/** Seconds after which an unused refresh token is worth nothing: Keycloak's "SSO session idle". */
export const sessionIdle = 30 * 60;

/** Seconds after which a login is over in any case: Keycloak's "SSO session max". */
export const sessionMax = 10 * 60 * 60;

/** Seconds that a login form waits. */
export const loginTimeout = 30 * 60;

/** Seconds that the link in a mail works unless the caller says otherwise: Keycloak's 12 hours. */
export const actionLinkLifespan = 12 * 60 * 60;
