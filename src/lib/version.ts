/** Of the package; a law test compares it with package.json. */
export const VERSION = '0.1.0';
