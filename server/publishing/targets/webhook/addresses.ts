import type { LookupFunction } from 'node:net';

import ipaddr from 'ipaddr.js';

import { type Resolve, createDnsResolver } from './resolve-host.ts';

/**
 * Restricts the addresses that deliveries can reach. Deliveries come from inside our own network, so an address chosen
 * by a customer mustn't reach internal hosts. A host name is checked at connection time, using the addresses it
 * resolves to, so changing a DNS record between check and use has no effect.
 */
export interface AddressPolicy {
  /** Allows deliveries to this machine, as the demo does for `npm run receiver`. Private networks stay blocked. */
  readonly allowLoopback: boolean;
}

/** Thrown for a destination that isn't allowed. */
export class AddressDeniedError extends Error {
  override name = 'AddressDeniedError';
}

/**
 * Returns the reason for denying the address; undefined if it's allowed. Only ordinary public unicast addresses are
 * accepted, according to IANA's special-purpose address registries. IPv4-mapped addresses are treated as IPv4.
 */
export function findDenialReason(address: string, { allowLoopback }: AddressPolicy): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} isn't an IP address`;
  const range = rangeOf(ipaddr.process(address));
  if (range === 'unicast' || (allowLoopback && range === 'loopback')) return undefined;
  return `${address} isn't a public address (${range})`;
}

/** Public addresses of cloud-internal services. The other metadata addresses are in non-public ranges. */
const METADATA_ADDRESSES: readonly string[] = ['168.63.129.16'];

/**
 * The range that IANA has allocated for global unicast. Addresses outside it, such as `::/96` (IPv4-compatible), are
 * reserved.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (METADATA_ADDRESSES.includes(address.toString())) return 'cloud metadata';
  const range = address.range();
  if (range !== 'unicast' || address instanceof ipaddr.IPv4) return range;
  return address.match(globalUnicast) ? range : 'reserved';
}

/**
 * Checks the address in a URL. Host names are checked when connecting.
 *
 * @throws AddressDeniedError if the policy denies the address
 */
export function assertAllowed(url: URL, policy: AddressPolicy): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return;
  const reason = findDenialReason(host, policy);
  if (reason) throw new AddressDeniedError(`Deliveries to this address aren't allowed: ${reason}.`);
}

/**
 * Creates a socket lookup that fails if the policy denies any of the host's addresses. A host name that mixes public
 * and private addresses has no legitimate use.
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = createDnsResolver()): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const reason = addresses
        .map(({ address }) => findDenialReason(address, policy))
        .find((text) => text !== undefined);
      if (reason) return callback(new AddressDeniedError(`Deliveries to ${host} aren't allowed: ${reason}.`), []);
      const [first] = addresses;
      if (!first) return callback(new AddressDeniedError(`${host} has no address.`), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
