import type { Socket } from 'node:net'

/** Tracks open sockets under a name, such as the client's address. */
export type OpenSockets<S extends Socket> = {
  add(name: string, socket: S): void
  of(name: string): ReadonlySet<S>
  names(): string[]
}

export function trackOpenSockets<S extends Socket>(): OpenSockets<S> {
  const open = new Map<string, Set<S>>()

  return {
    add(name, socket) {
      const ofName = open.get(name) ?? new Set()
      open.set(name, ofName.add(socket))
      socket.once('close', () => {
        ofName.delete(socket)
        if (ofName.size === 0 && open.get(name) === ofName) open.delete(name)
      })
    },
    of: name => open.get(name) ?? new Set(),
    names: () => [...open.keys()],
  }
}
