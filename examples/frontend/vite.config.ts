import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname);
  return {
    plugins: [react()],
    // Send these headers from your web server too.
    preview: {
      headers: {
        'Content-Security-Policy': [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          `connect-src ${originOf(env['VITE_PROFILE_URL'])} ${originOf(env['VITE_REALM_URL'])}`,
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ].join('; '),
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      },
    },
  };
});

const originOf = (url = '') => new URL(url).origin;
