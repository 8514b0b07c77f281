/**
 * What the sign-in SDK asks of the identity provider for people who sign in with email and password: host, method and
 * path, as at Google. Nothing else is passed on to the embedded provider, which could also list and delete accounts or
 * read out the codes it would have mailed.
 */
export const clientOperations = [
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:createAuthUri'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:lookup'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:resetPassword'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:sendOobCode'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:signInWithPassword'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:signUp'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:update'],
  ['identitytoolkit.googleapis.com', 'GET', '/v1/projects'],
  ['securetoken.googleapis.com', 'POST', '/v1/token'],
] as const;

/** What our own process asks besides, as the provider's administrator. */
export const administratorPaths = [
  '/emulator/v1/projects/{targetProjectId}/config',
  '/v1/projects/{targetProjectId}/accounts:batchCreate',
  '/v1/projects/{targetProjectId}/accounts:batchGet',
] as const;
