/**
 * The sign-in SDK's calls to the identity provider, with Google's host, method, and path. No other calls are forwarded
 * to the embedded provider.
 */
export const clientOperations = [
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:createAuthUri'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:lookup'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:resetPassword'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:sendOobCode'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:signInWithIdp'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:signInWithPassword'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:signUp'],
  ['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:update'],
  ['identitytoolkit.googleapis.com', 'GET', '/v1/projects'],
  ['identitytoolkit.googleapis.com', 'GET', '/v1/recaptchaParams'],
  ['identitytoolkit.googleapis.com', 'GET', '/v2/passwordPolicy'],
  ['identitytoolkit.googleapis.com', 'GET', '/v2/recaptchaConfig'],
  ['identitytoolkit.googleapis.com', 'POST', '/v2/accounts/mfaEnrollment:start'],
  ['identitytoolkit.googleapis.com', 'POST', '/v2/accounts/mfaEnrollment:finalize'],
  ['identitytoolkit.googleapis.com', 'POST', '/v2/accounts/mfaEnrollment:withdraw'],
  ['identitytoolkit.googleapis.com', 'POST', '/v2/accounts/mfaSignIn:start'],
  ['identitytoolkit.googleapis.com', 'POST', '/v2/accounts/mfaSignIn:finalize'],
  ['securetoken.googleapis.com', 'POST', '/v1/token'],
] as const;

/** The window for choosing a demo Google account: method and path. */
export const googlePages = [
  ['GET', '/emulator/auth/handler'],
  ['POST', '/emulator/auth/handler'],
  ['GET', '/emulator/auth/handler.js'],
] as const;

/**
 * The additional calls that our own server makes (accounts.ts). Only the server deletes accounts, together with our
 * data about the user.
 */
export const serverOperations = [['identitytoolkit.googleapis.com', 'POST', '/v1/accounts:delete']] as const;
