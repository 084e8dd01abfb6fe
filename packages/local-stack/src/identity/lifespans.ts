/** Seconds until an unused refresh token expires: Keycloak's "SSO session idle". */
export const sessionIdle = 30 * 60;

/** Maximum length of a session in seconds: Keycloak's "SSO session max". */
export const sessionMax = 10 * 60 * 60;

/** Seconds until a login form expires. */
export const loginTimeout = 30 * 60;

/** Default lifespan of the link in a mail, in seconds: 12 hours, as in Keycloak. */
export const actionLinkLifespan = 12 * 60 * 60;
