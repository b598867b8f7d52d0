'use client';

import { usePathname } from 'next/navigation';

/** The workspace that a page's address names: `/w/<id>/…`; undefined for the pages of no workspace. */
function workspaceIn(pathname: string): string | undefined {
  const id = /^\/w\/([^/]+)/.exec(pathname)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/** That of this page's address at this moment, for calls. */
export function presentWorkspace(): string | undefined {
  return typeof window === 'undefined' ? undefined : workspaceIn(window.location.pathname);
}

/** The share link that a page's address names: `/s/<id>`; undefined for the pages of members. */
function linkIn(pathname: string): string | undefined {
  const id = /^\/s\/([^/]+)/.exec(pathname)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/** That of this page's address, for calls. */
export function presentLink(): string | undefined {
  return typeof window === 'undefined' ? undefined : linkIn(window.location.pathname);
}

/** The share link of this page, for components; undefined on the pages of members. */
export function useLinkId(): string | undefined {
  return linkIn(usePathname() ?? '');
}

/** The workspace of this page, for components; undefined: the home workspace of the person. */
export function useWorkspaceId(): string | undefined {
  return workspaceIn(usePathname() ?? '');
}

/** Gives the address of a page in the workspace of this page; of its wall by an empty path. */
export function useWorkspacePath(): (path: string) => string {
  const workspace = useWorkspaceId();
  return (path) => pathIn(workspace, path);
}

/** The address of a session's cockpit, in this page's workspace. */
export function sessionPath(id: string): string {
  return pathIn(presentWorkspace(), `/sessions/${encodeURIComponent(id)}`);
}

/**
 * The address of the same kind of page in another workspace. Things such as a session are of one workspace only, so
 * their pages lead to its wall.
 */
export function samePageIn(workspace: string, pathname: string): string {
  const page = /^\/w\/[^/]+(\/settings\/\w+)\/?$/.exec(pathname)?.[1];
  return pathIn(workspace, page ?? '');
}

function pathIn(workspace: string | undefined, path: string): string {
  // The server leads an address without a workspace to the right one.
  return workspace === undefined ? path || '/' : `/w/${encodeURIComponent(workspace)}${path}`;
}
