import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { keyOf } from '#src/data/query-client.ts';
import { formatCount, useText } from '#src/i18n/i18n.ts';
import { countMatching } from '#src/registry/filter-language.ts';
import { loadEntity } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { isUnreachableAtom } from '#src/state/connection.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark, type HealthLevel } from '#src/ui/HealthMark.tsx';

const LEVELS: readonly HealthLevel[] = ['ERROR', 'WARNING', 'OK'];

/** The number of devices at each health level, as links. The server counts them, and events refresh the counts. */
export function HealthCounts({ organization }: { readonly organization: string }) {
  const t = useText();
  const isUnreachable = useAtomValue(isUnreachableAtom);
  const { data } = useQuery({
    queryKey: keyOf(organization, 'device', 'health-counts'),
    queryFn: async () => {
      const device = await loadEntity('device');
      if (!device) return [];
      const context = contextNow();
      if (device.requires && !context.actor.abilities.has(device.requires)) return [];
      return Promise.all(LEVELS.map((level) => countMatching(device, `health:${level}`, context)));
    },
  });
  return (
    <div
      className={cx('flex items-center', isUnreachable && 'opacity-60')}
      role="group"
      aria-label={t(isUnreachable ? 'shell.healthBefore' : 'shell.health')}
    >
      {LEVELS.map((level, index) => {
        const count = data?.[index];
        return count === undefined ? null : (
          <CommandButton
            key={level}
            command="device.list"
            args={{ filter: `health:${level}` }}
            tone="quiet"
            showKeys={false}
            className="h-6 gap-1.5 px-1.5 tabular-nums"
          >
            <HealthMark level={level} label={t(`shell.level.${level}`)} />
            {formatCount(count)}
          </CommandButton>
        );
      })}
    </div>
  );
}
