import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormattedMessage } from '@/lib/messages/format';
import type { ServerView } from '@/lib/protocol/server-view';
import type { Access } from '@/server/access/access';
import { isBeyondLoopback } from '@/server/config/beyond';
import type { Config } from '@/server/config/config';
import { shownSettings } from '@/server/config/shown';
import { programVersion } from '@/server/config/version';
import type { Browsers } from '@/server/fleet/browsers';
import type { Hub } from '@/server/session/hub';
import { DATABASE_FILE } from '@/server/store/data-dir';
import type { Store } from '@/server/store/store';
import type { TimelineCheck } from '@/server/store/timeline-check';
import type { Metrics } from '@/server/telemetry/metrics';
import type { RecentLine, RecentLines } from '@/server/telemetry/recent';

/** The services that are shown. */
interface Shown {
  readonly access: Access;
  readonly hub: Hub;
  readonly browsers: Browsers;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly timelines: TimelineCheck;
  readonly warnings: readonly FormattedMessage[];
}

/** What the server's owner sees of the whole server, and passes on in a bug report (AU3). */
export class Diagnostics {
  readonly #version = programVersion();
  readonly #startedAt = new Date().toISOString();

  constructor(
    private readonly config: Config,
    private readonly recent: RecentLines,
  ) {}

  async view(services: Shown): Promise<ServerView> {
    const { access, store, metrics } = services;
    const { config } = this;
    const workspaces = await this.#workspaces(services);
    const warnings = warningsOf(services, workspaces);
    return {
      ...this.#build(),
      startedAt: this.#startedAt,
      now: new Date().toISOString(),
      addresses: access.sites().map(({ origin }) => origin),
      ...this.#reach(),
      owner: { id: access.owner.id, name: (await store.people.find(access.owner.id))?.name ?? '' },
      workspaces,
      browsers: browsersOf(services, workspaces),
      timelines: services.timelines.state,
      trouble: (await store.trouble()) ?? null,
      warnings: warnings.map(({ text }) => text),
      warningsSaid: warnings.map(({ said }) => said),
      disk: await this.#disk(),
      settings: shownSettings(config),
      mail: config.mail
        ? { server: `${config.mail.server.host}:${config.mail.server.port}`, from: config.mail.from }
        : null,
      oidc: config.oidc
        ? { issuer: config.oidc.issuer, domains: [...config.oidc.domains], role: config.oidc.role }
        : null,
      passwordSignIn: config.passwordSignIn,
      figures: await metrics.totals(),
    };
  }

  /**
   * The text of a bug report: no secret, and no name or address of people, pages, sessions, workspaces and machines.
   */
  async bundle(services: Shown): Promise<string> {
    const { timelines, trouble, disk, settings, figures, now, ...view } = await this.view(services);
    const { HOST: _, ...shown } = settings;
    const sessions = view.workspaces.flatMap(({ id }) => services.hub.list(id));
    const report = {
      about: 'Diagnostics of a Wheelhouse server, for a bug report. It has no secrets; read it before you pass it on.',
      now,
      ...this.#build(),
      startedAt: this.#startedAt,
      ...this.#reach(),
      workspaces: view.workspaces.map(({ members, sessions: open }) => ({ members, sessions: open })),
      browsers: view.browsers.map(({ origin, product, state, tabs }) => ({ origin, product, state, tabs })),
      sessions: sessions.map(({ registry, state }) => ({ state, tabs: registry.size })),
      timelines: timelines.state,
      database: { works: trouble === null, ...disk },
      settings: shown,
      figures,
      lines: withoutPlaces(this.recent.lines, this.config.dataDir),
    };
    return `${JSON.stringify(report, undefined, 2)}\n`;
  }

  #build(): Pick<ServerView, 'version' | 'node' | 'platform'> {
    return { version: this.#version, node: process.version, platform: `${process.platform} ${process.arch}` };
  }

  #reach(): Pick<ServerView, 'beyondLoopback' | 'tls' | 'trustedHops'> {
    const { tls, trustedHops } = this.config;
    return { beyondLoopback: isBeyondLoopback(this.config), tls: tls !== undefined, trustedHops };
  }

  async #disk(): Promise<ServerView['disk']> {
    const { dataDir } = this.config;
    const [{ size }, { bavail, bsize }] = await Promise.all([stat(join(dataDir, DATABASE_FILE)), statfs(dataDir)]);
    return { databaseBytes: size, freeBytes: bavail * bsize };
  }

  async #workspaces({ store, hub }: Pick<Shown, 'store' | 'hub'>): Promise<ServerView['workspaces']> {
    const workspaces: ServerView['workspaces'] = [];
    for (const id of await store.people.workspaces()) {
      const members = await store.people.members(id);
      const name = (await store.people.workspace(id))?.name ?? '';
      workspaces.push({ id, name, members: members.length, sessions: hub.list(id).length });
    }
    return workspaces;
  }
}

/** Takes the addresses of pages, people and machines out of lines, and our own folder. */
function withoutPlaces(lines: readonly RecentLine[], dataDir: string): unknown {
  const text = JSON.stringify(lines).replaceAll(JSON.stringify(dataDir).slice(1, -1), 'DATA_DIR');
  return JSON.parse(PLACES.reduce((before, [place, hidden]) => before.replace(place, hidden), text));
}

/** None of them matches a quote or a backslash: the text stays JSON. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]*):\/\/[^\s"'\\)]+/giu, '$1://…'],
  [/[^\s"'\\<>@:]+@[^\s"'\\<>@]+\.[a-z]+/giu, '…@…'],
  [/\b(?!127\.0\.0\.1\b)\d{1,3}(?:\.\d{1,3}){3}\b/gu, '…'],
];

function warningsOf(
  { warnings, access, hub }: Shown,
  workspaces: ServerView['workspaces'],
): readonly FormattedMessage[] {
  const mails = access.mail?.trouble;
  return [...warnings, ...(mails ? [mails] : []), ...workspaces.flatMap(({ id }) => hub.warnings(id))];
}

function browsersOf(
  { browsers }: Pick<Shown, 'browsers'>,
  workspaces: ServerView['workspaces'],
): ServerView['browsers'] {
  return workspaces.flatMap(({ id }) => browsers.list(id).map((browser) => ({ ...browser, workspace: id })));
}
