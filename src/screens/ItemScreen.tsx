import { useEffect, type ComponentProps, type ComponentType } from 'react';

import type { ItemScreen as Name } from '#commands/model/screen.ts';
import type { ItemScreenAddress } from '#src/address/paths.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { loadAllCommands } from '#src/run/invoke.ts';
import { PartError } from '#src/run/PartError.tsx';
import { TabStrips } from '#src/shell/TabStrips.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { hardLoad } from './hard-load.ts';
import { PanelLayout } from './PanelLayout.tsx';

interface ItemScreenProps {
  /** Undefined to create an item. */
  readonly id: string | undefined;
  readonly listPath: string;
}

type ItemComponent = ComponentType<ItemScreenProps>;

/** Loads a screen of a single item on demand, because most people never open it, and a text editor is large. */
function lazyItemScreen(load: () => Promise<ItemComponent>) {
  return lazyPart<ItemScreenProps>(
    async () => {
      const [component] = await Promise.all([load(), loadAllCommands(), loadAllStrings()]);
      return component;
    },
    { Failed: ItemScreenError },
  );
}

function ItemScreenError(props: ComponentProps<typeof PartError>) {
  useEffect(() => void hardLoad(window.location.href), []);
  return <PartError {...props} />;
}

const COMPONENTS: Readonly<Record<Name, ItemComponent>> = {
  'parser-bench': lazyItemScreen(async () => (await import('./parser-bench/ParserBench.tsx')).ParserBench),
  'simple-parser-bench': lazyItemScreen(async () => (await import('./parser-bench/ParserBench.tsx')).SimpleParserBench),
  timeline: lazyItemScreen(async () => (await import('./timeline/AssignmentScreen.tsx')).AssignmentScreen),
};

/** A screen on which one item is created or changed. A new item has the tabs of its list. */
export function ItemScreen({ destination, shows, id }: ItemScreenAddress) {
  const Component = COMPONENTS[shows];
  return (
    <div className="flex h-full min-h-0 flex-col">
      {id === undefined && <TabStrips destination={destination} />}
      <div className="min-h-0 flex-1">
        <PanelLayout>
          <Component id={id} listPath={destination.screen.path} />
        </PanelLayout>
      </div>
    </div>
  );
}
