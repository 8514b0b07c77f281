import { type LookupAddress, type LookupOptions, lookup, Resolver } from 'node:dns';
import { isIP } from 'node:net';

/** All addresses of a name, as `dns.lookup` with `all`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Milliseconds for one question, asked twice: a receiver has ten seconds for everything. */
const patience = { timeout: 2_000, tries: 2 };

/** Names of this machine, which DNS does not know. */
const isLocal = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host);

/**
 * Asks DNS without a thread. `dns.lookup` takes one of the two that a process has for it, so that a few names whose
 * servers never answer would keep everybody else's from being resolved. The price is that /etc/hosts is not read,
 * except for names of this machine.
 *
 * @param servers instead of those of the system, for tests
 */
export function resolverOverNetwork(servers?: readonly string[]): Resolve {
  return (host, options, callback) => {
    if (isLocal(host) || isIP(host) !== 0) return lookup(host, options, callback);
    // Each question has a resolver of its own: questions that wait for a server must not share sockets or a queue.
    const resolver = new Resolver(patience);
    if (servers !== undefined) resolver.setServers(servers);
    const answers: LookupAddress[] = [];
    let failure: NodeJS.ErrnoException | undefined;
    let open = 2;
    const took = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error === null) answers.push(...addresses.map((address) => ({ address, family })));
      // A name may have addresses of one family alone.
      else if (failure === undefined || failure.code === 'ENODATA') failure = error;
      open -= 1;
      if (open > 0) return;
      if (answers.length > 0)
        callback(
          null,
          answers.toSorted((a, b) => a.family - b.family),
        );
      else callback(explained(host, failure), []);
    };
    resolver.resolve4(host, took(4));
    resolver.resolve6(host, took(6));
  };
}

/** With the codes of `dns.lookup`: unknown, or to be tried again. */
function explained(host: string, failure: NodeJS.ErrnoException | undefined): NodeJS.ErrnoException {
  const unknown = failure?.code === 'ENOTFOUND' || failure?.code === 'ENODATA';
  const code = unknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${host} could not be resolved (${failure?.code ?? 'no answer'}).`), { code });
}
