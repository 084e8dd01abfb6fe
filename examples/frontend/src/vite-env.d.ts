interface ImportMetaEnv {
  /** URL of the profile service. */
  readonly VITE_PROFILE_URL: string;
  /** URL of the realm at the identity provider. */
  readonly VITE_REALM_URL: string;
  /** The public client of this page in the realm. */
  readonly VITE_CLIENT_ID: string;
}
