import { type LookupAddress, type LookupOptions, lookup, Resolver } from 'node:dns';
import { isIP } from 'node:net';

/** Resolves all addresses of a name, like `dns.lookup` with `all`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The timeout of each query attempt in milliseconds, and the number of attempts. A whole call has ten seconds. */
const timeouts = { timeout: 2000, tries: 2 };

/** True for names of this machine, which aren't in DNS. */
const isLocal = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host);

/**
 * Creates a resolver that queries DNS without using a thread. `dns.lookup` occupies one of the two threads that a
 * process has for it, so a few names whose servers never respond would block all others. The drawback is that
 * /etc/hosts isn't read, except for names of this machine.
 *
 * @param servers replaces the system's name servers, for tests
 */
export function createDnsResolver(servers?: readonly string[]): Resolve {
  return (host, options, callback) => {
    if (isLocal(host) || isIP(host) !== 0) return lookup(host, options, callback);
    // Each name has its own resolver, because queries that wait for a server must not share sockets or a queue.
    const resolver = new Resolver(timeouts);
    if (servers !== undefined) resolver.setServers(servers);
    const results: LookupAddress[] = [];
    let failure: NodeJS.ErrnoException | undefined;
    let pendingReplies = 2;
    const onReply = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error === null) results.push(...addresses.map((address) => ({ address, family })));
      // A name may have addresses of only one family.
      else if (failure === undefined || failure.code === 'ENODATA') failure = error;
      pendingReplies -= 1;
      if (pendingReplies > 0) return;
      if (results.length > 0)
        callback(
          null,
          results.toSorted((a, b) => a.family - b.family),
        );
      else callback(lookupError(host, failure), []);
    };
    resolver.resolve4(host, onReply(4));
    resolver.resolve6(host, onReply(6));
  };
}

/** Returns an error with the code that `dns.lookup` would use. */
function lookupError(host: string, failure: NodeJS.ErrnoException | undefined): NodeJS.ErrnoException {
  const isUnknown = failure?.code === 'ENOTFOUND' || failure?.code === 'ENODATA';
  const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${host} couldn't be resolved (${failure?.code ?? 'no response'}).`), { code });
}
