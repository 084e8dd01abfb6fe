/** The icon of all pages. */
export const svgIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b4f"/><circle cx="16" cy="11.5" r="4.5" fill="#fff"/><path d="M7 26c0-5 4-8 9-8s9 3 9 8z" fill="#fff"/></svg>';

/** The same icon with 32 × 32 pixels, as ICO: browsers request `/favicon.ico` for responses that name no icon. */
export const icon = Buffer.from(
  'AAABAAEAICAAAAEAIAABAwAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAArZJREFUeJzEl19IFEEcx78z7ul550GWSJpyZWVZZEJS' +
    'aj1oaVJW2pOJeV4RiBb9paeIoKJXfZDSiIJIgoiQLIyCgjDILNCoMLE0CkMruQov7bydZrwuiry7He/27vO0u9/f/H7fndmZnVHwNwfLZplc7BAYcgiQBYJE' +
    'hAKGEQZ083yPnQZSj4ZWh1ci3gtT7dZNoOQCAUmGjjCwIahsj/NcW/sfA+Z9pcVcuYMwwlR1szBBUFsSbyLKS0KQhDAiesI5PrFCiaW0mndDWIsLxFDHGqNt' +
    'lDKagwghalNGEDEDorbCu98KSbLnp+PMdjuWJXuavhp6h+Otl9E50CuTRswAKzHvLWVaG8QoBhwrqcCBDWWIovQfza2qqL93A6dvX8Wk6taaEhQSxMUYYc8r' +
    '+q+4QDzbta4YFmMsZJAyULB0JWabLT71OVxbZV0M3QxkpqRpiFkAGRSZ4Ocf3mqIGYAMUj3woLcHX8a++9RHudY12AfdDIjiR641+9QPc+3rjzHIIDUEguvP' +
    'OvB+9DNOldmCXgcEUuuAHkgNgR5IDUG8KQ62vEJkpS5EWsJcLEr07F36R4bw5tNH9PBZcqnjLr6NOzXn1DwEdflbcGLbTpijjX7jHPwjPNl2BecftiMkBiih' +
    'aK7aj4rV+ZChpfM+6loap/4RfvMjAA07aqSLCyrXrEd9eU3AOL8GMpJSUZ1bhJki2i5Pts7cgD1v47R/Pq2ItrbcQr8xfmdB/pJMBEugHPz12LAvMSU+AcHi' +
    'PwcbVhhIN98aFU8nzztaCT0RtenUkSlCiNqUuUkTv3Yg/DhEbTre1DrIl4rdCDMMql3UjhI3k12vew3Z6U/4PrmAn1gs0JHfh9Ny59m2W+I+yiu4nvb1u9Zm' +
    'XDSo+MmjJviHaeGGzAgFnuP5I56vxWmgVa7Gmy+80i8AAAD//9I5StMAAAAGSURBVAMA04Pc01On0b0AAAAASUVORK5CYII=',
  'base64',
);
