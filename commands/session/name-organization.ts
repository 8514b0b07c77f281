import { ConnectError, type Interceptor } from '@connectrpc/connect';

/**
 * Replaces the organization's id in the server's error messages with its name, such as `"northwind"` with
 * `"Northwind Energy"`. `currentOrganization` returns the organization that the caller acts for, or undefined until it
 * is known.
 */
export function organizationNameInterceptor(
  currentOrganization: () => { readonly id: string; readonly name: string } | undefined,
): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const organization = currentOrganization();
      if (!organization || !(error instanceof ConnectError)) throw error;
      const text = error.rawMessage.replaceAll(`"${organization.id}"`, () => `"${organization.name}"`);
      if (text === error.rawMessage) throw error;
      const replacement = new ConnectError(text, error.code, error.metadata, undefined, error.cause);
      replacement.details = error.details;
      throw replacement;
    }
  };
}
