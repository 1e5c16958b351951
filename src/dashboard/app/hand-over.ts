type Message =
  | { says: 'who is signed in?' }
  | { says: 'this key'; key: string }
  | { says: 'signed out'; key: string }

const waitMs = 300

/** A new tab gets the key from an open tab of this origin, so the key need not be stored. */
const channel = new BroadcastChannel('animal-store')
const say = (message: Message) => channel.postMessage(message)

/** Resolves with the key, or with null if no other tab answers in time. */
export function askOtherTabs(): Promise<string | null> {
  return new Promise(resolve => {
    const end = (key: string | null) => {
      clearTimeout(timer)
      channel.removeEventListener('message', receive)
      resolve(key)
    }
    const receive = ({ data }: MessageEvent<Message>) => {
      if (data.says === 'this key') end(data.key)
    }
    const timer = setTimeout(end, waitMs, null)
    channel.addEventListener('message', receive)
    say({ says: 'who is signed in?' })
  })
}

/**
 * Gives the key to tabs that open later. Calls `onSignedOut` when another tab signs out of this key. Returns a function
 * that stops listening.
 */
export function handOver(key: string, onSignedOut: () => void): () => void {
  const receive = ({ data }: MessageEvent<Message>) => {
    if (data.says === 'who is signed in?') say({ says: 'this key', key })
    if (data.says === 'signed out' && data.key === key) onSignedOut()
  }
  channel.addEventListener('message', receive)
  return () => channel.removeEventListener('message', receive)
}

export const announceSignedOut = (key: string) => say({ says: 'signed out', key })
