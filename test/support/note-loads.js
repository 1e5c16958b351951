// Notes each file that the process loads in the file $LOADS. For node's option --import.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADS, `${url}\n`)
    return nextLoad(url, context)
  },
})
