'use strict'
// Drives an engine with @sabaki/gtp, the library by which Sabaki speaks to engines.
//
//     node sabaki.js FOLDER SCENE WIDTH ENGINE [ARGUMENT]...
//
// FOLDER has the library in its node_modules. Exits 0 if all went well.

const assert = require('node:assert')
const path = require('node:path')
const {setTimeout: sleep} = require('node:timers/promises')

const [folder, scene, width, engine, ...given] = process.argv.slice(2)
const library = path.join(folder, 'node_modules', '@sabaki', 'gtp')
const {Controller, ControllerStateTracker} = require(library)

const LONGEST = 1000
const boardsize = [+width, +width]

async function ask(controller, name, ...args) {
  const response = await controller.sendCommand({name, args})
  assert(!response.error, `${name} ${args}: ${response.content}`)
  return response.content
}

// All that Sabaki asks first goes out at once.
async function start() {
  const controller = new Controller(engine, given)
  const tracker = new ControllerStateTracker(controller)
  controller.start()
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const [name, version, protocol, commands] = await Promise.all(
    names.map(name => ask(controller, name))
  )
  assert.strictEqual(name, 'Crosscut')
  assert.match(version, /^\d+\.\d+\.\d+$/)
  assert.strictEqual(protocol, '2')
  for (const needed of ['play', 'genmove', 'undo', 'boardsize', 'clear_board'])
    assert(commands.split('\n').includes(needed), needed)
  return {controller, tracker}
}

async function stop(controller) {
  const stopped = new Promise(resolve => controller.once('stopped', resolve))
  await controller.stop()
  assert.deepStrictEqual(await stopped, {signal: 0})
}

// Whether Sabaki takes a game for finished; it knows no result while it plays.
async function isOver(controller, answers) {
  if (answers.at(-1) === 'RESIGN') return true
  if (answers.slice(-2).join() === 'PASS,PASS') return true
  const {error} = await controller.sendCommand({name: 'final_score'})
  return scene === 'turns' && !error
}

// A whole game, synchronized before every move, then looked through in leaps.
async function game() {
  const {controller, tracker} = await start()
  const [history, answers] = [[], []]
  const sync = count =>
    tracker.sync({komi: 6.5, boardsize, history: history.slice(0, count)})
  await sync(0)
  const boards = [await ask(controller, 'showboard')]
  while (!(await isOver(controller, answers))) {
    assert(answers.length < LONGEST)
    const color = 'BW'[answers.length % 2]
    await sync(history.length)
    const [response] = await Promise.all([
      tracker.queueCommand({name: 'genmove', args: [color]}),
      ask(controller, 'protocol_version')
    ])
    assert(!response.error, response.content)
    const answer = response.content.toUpperCase()
    answers.push(answer)
    if (answer === 'RESIGN') break
    if (scene === 'clicks') assert.match(answer, /^([A-Z]\d+|PASS)$/)
    history.push({name: 'play', args: [color, answer]})
    boards.push(await ask(controller, 'showboard'))
  }
  const count = history.length
  for (const part of [0.7, 1, 0.2, 0.9, 0.6, 0, 1]) {
    const reached = Math.floor(part * count)
    await sync(reached)
    assert.strictEqual(await ask(controller, 'showboard'), boards[reached])
  }
  await Promise.all(history.map(() => ask(controller, 'undo')))
  assert.strictEqual(await ask(controller, 'showboard'), boards[0])
  await stop(controller)
  console.log(answers.join(' '))
}

// A search of ten minutes: whoever is asked meanwhile answers after it.
async function abort() {
  const {controller, tracker} = await start()
  await tracker.sync({komi: 0, boardsize, history: []})
  const legal = (await ask(controller, 'all_legal_moves')).split(' ')
  const finished = []
  const search = ask(controller, 'genmove', 'B').then(answer => {
    finished.push('genmove')
    return answer
  })
  const poke = ask(controller, 'protocol_version').then(() => finished.push('poke'))
  await sleep(300)
  assert(controller.busy)
  assert.deepStrictEqual(finished, [])
  controller.process.stdin.write('# interrupt\n')
  assert(legal.includes(await search))
  await poke
  assert.deepStrictEqual(finished, ['genmove', 'poke'])

  await ask(controller, 'clear_board')
  const lost = ask(controller, 'genmove', 'B')
  await Promise.all([
    assert.rejects(lost, /output has stopped|write/),
    controller.stop(200).catch(() => {})
  ])
  assert.strictEqual(controller.process, null)
}

const run = scene === 'abort' ? abort : game
run().catch(error => {
  console.error(error)
  process.exit(1)
})
