import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { ResumeCertificatesDocument } from './generated/operations.ts'
import { send } from './send.ts'

/** Builds `certificates`, a command for operators. */
export function certificatesCommand(shop: CommandContext): Command {
  const certificates = new Command('certificates').description(
    'manage the certificates of all projects, as the operator of the service',
  )

  certificates
    .command('resume')
    .description('end the pauses that certificate authorities asked for, and try again at once')
    .action(async (_options, command: Command) => {
      const { certificatesResume } = await send(shop.connect('operator'), ResumeCertificatesDocument, {})
      const { pauses, certificates } = certificatesResume
      const text =
        pauses + certificates === 0
          ? 'There was no pause.'
          : `${pauses} ${pauses === 1 ? 'pause has' : 'pauses have'} ended; certificates that are tried again: ${certificates}.`
      shop.print(command, certificatesResume, text)
    })

  return certificates.addHelpText(
    'after',
    `
Examples:
  animal-store certificates resume`,
  )
}
