import { ValuesChart } from '#src/chart/ValuesChart.tsx';
import { useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';

import { useItem } from './use-item.ts';

interface ItemChartProps {
  readonly organization: string;
  readonly entity: string;
  readonly id: string;
  readonly fields: readonly string[];
  readonly range: string | undefined;
  readonly zoom: string | undefined;
}

/** The chart of an item's values, if the entity has values. */
export function ItemChart({ organization, entity: name, id, ...chart }: ItemChartProps) {
  const chartText = useText('chart');
  const entity = registry().entity(name);
  const { data, error, refetch } = useItem(organization, entity, id, true);
  const tab = entity?.detailTabs?.find(({ owner }) => owner);
  if (error && !data) return <LoadError title={chartText('failed')} error={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className="p-4">
        <SkeletonRows count={8} label={chartText('loading')} />
      </div>
    );
  const owner = data === null ? undefined : tab?.owner?.(data);
  if (!owner) return <StateMessage title={chartText('none')}>{chartText('noneHint')}</StateMessage>;
  return <ValuesChart organization={organization} owner={owner} {...chart} />;
}
