import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Resolve, resolverOverNetwork } from './resolve-host.ts';

/**
 * Where deliveries may go. They come from inside the operator's network, so an address chosen by a customer must not
 * reach what only that network can reach. Names are judged by the addresses they resolve to at the moment of
 * connecting, so that a DNS answer that changes between check and use gains nothing.
 */
export interface AddressPolicy {
  /** The operator allows this machine itself, as the demo does for `npm run receiver`. Private networks stay closed. */
  readonly allowLoopback: boolean;
}

/** A delivery would go where deliveries may not go. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/**
 * Why the address is refused, or undefined. Everything but ordinary public unicast is, by IANA's registries of special
 * purposes; mapped IPv4 is judged as IPv4.
 */
export function refusal(address: string, { allowLoopback }: AddressPolicy): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`;
  const range = rangeOf(ipaddr.process(address));
  if (range === 'unicast' || (allowLoopback && range === 'loopback')) return undefined;
  return `${address} is not a public address (${range})`;
}

/** Public addresses that clouds answer from inside. The other metadata addresses are in ranges that are not public. */
const metadata: readonly string[] = ['168.63.129.16'];

/** All that IANA has given out as global unicast. What is outside, such as `::/96` (IPv4-compatible), is reserved. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (metadata.includes(address.toString())) return 'cloud metadata';
  const range = address.range();
  if (range !== 'unicast' || address instanceof ipaddr.IPv4) return range;
  return address.match(globalUnicast) ? range : 'reserved';
}

/** @throws AddressRefused when the URL names a refused address itself; a name is judged when connecting */
export function assertAllowed(url: URL, policy: AddressPolicy): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return;
  const reason = refusal(host, policy);
  if (reason) throw new AddressRefused(`Deliveries do not go there: ${reason}.`);
}

/**
 * A lookup for sockets that fails when any address of the name is refused: a name that mixes public and private
 * addresses has no honest use.
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = resolverOverNetwork()): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const reason = addresses.map(({ address }) => refusal(address, policy)).find((found) => found !== undefined);
      if (reason) return callback(new AddressRefused(`Deliveries do not go to ${host}: ${reason}.`), []);
      const [first] = addresses;
      if (!first) return callback(new AddressRefused(`${host} has no address.`), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
