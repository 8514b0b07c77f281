import type { Change, Plan } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

export const sampleChange: Change = {
  id: 'a',
  label: 'North',
  field: message('x:field'),
  before: undefined,
  after: 'on',
};

/** A reversible plan that consists of {@link sampleChange} and a note. */
export const samplePlan: Plan = {
  summary: message('x:sum'),
  count: 1,
  changes: [sampleChange],
  reversible: true,
  notes: [message('x:n')],
};
