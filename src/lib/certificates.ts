/** Codes of a certificate that no authority known to Node has signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
]);

/** The way out of a connection that failed because of a certificate; undefined for any other code of an error. */
export function certificateAdvice(code: string): { problem: string; next: string } | undefined {
  if (UNTRUSTED.has(code)) {
    return {
      problem: 'its certificate is not signed by an authority that this computer trusts',
      next: 'If it uses a private CA, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of that CA, and start again.',
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return {
      problem: 'its certificate is not valid today',
      next: 'Check the clock of this computer; otherwise the certificate has to be renewed.',
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { problem: 'its certificate is for another host name', next: 'Check the host name of the address.' };
  }
  return undefined;
}
