/** The version of the package. A law test compares it with package.json. */
export const VERSION = '0.3.0';
