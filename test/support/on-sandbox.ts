/** The settings of a process whose platform is the sandbox at this address. */
export const onSandbox = (url: string) => ({
  PLATFORM_BASE_URL: url,
  PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
  PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
});
