import { policyTable } from '#server/policies/rpcs.ts';

import * as policies from './policies.ts';

/** A service with a policy. Serving any other service is a type error. */
export type ServiceWithPolicy = (typeof policies)[keyof typeof policies]['service'];

export const policyOf = policyTable(Object.values(policies));
