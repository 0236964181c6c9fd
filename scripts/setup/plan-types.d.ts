/** Types of `plan.mjs` and `facts.mjs`, which are plain JavaScript because they run before anything is installed. */
declare module '*/scripts/setup/plan.mjs' {
  export type Facts = {
    readonly forTests: boolean;
    readonly switch: 'on' | 'off';
    readonly packages: 'current' | 'stale' | 'linked';
    /** Whether those for tests are there too, or will be when the packages are installed. */
    readonly hasTestPackages: boolean;
    readonly hostNode: string;
    readonly localNode: string | undefined;
    readonly hasRedisUrl: boolean;
    readonly redis: string | undefined;
    readonly chromium: string | undefined;
    readonly webSources: string | undefined;
    readonly webBuilt: string | undefined;
    readonly hasDataFolder: boolean;
  };

  export type Step = 'packages' | 'node' | 'redis' | 'chromium' | 'web' | 'data';
  export type Program = 'redis' | 'chromium';
  export type Host = {
    readonly manager: 'apt-get' | 'dnf' | 'apk' | 'pacman' | 'brew' | undefined;
    readonly isRoot: boolean;
    readonly hasSudo: boolean;
    readonly distribution?: string | undefined;
  };

  type LockedPackage = { version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean };
  export type PackageLock = { readonly packages?: Record<string, LockedPackage> };

  export const NODE_MINIMUM: string;
  export const REDIS_MINIMUM: string;
  export const MANAGERS: readonly string[];
  export function parseVersion(text: string | undefined): [number, number, number] | undefined;
  export function isAtLeast(text: string | undefined, minimum: string): boolean;
  export function installedMatchesLock(
    lock: PackageLock | undefined,
    installed: PackageLock | undefined,
    options: { readonly forTests: boolean },
  ): boolean;
  export function planSteps(facts: Facts): Step[];
  export function nodeFault(facts: Facts): string | undefined;
  export function installCommand(host: Host, program: Program): string[] | undefined;
  export function mayInstall(host: Host): boolean;
  export function adviceFor(program: Program, host: Host, reason: string): string;
}

declare module '*/scripts/setup/facts.mjs' {
  export function findChromium(): string | undefined;
}
