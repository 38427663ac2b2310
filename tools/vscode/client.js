// Starts `rulewright lsp` and connects the editor to it. Everything that is known about rules is in the server.
"use strict";

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const FILES = "**/*.{rules,cards,errata,variant,ruling}";
const DATA = "**/{rulesets,cards}/**/*.yaml";

let client;

// A path is relative to the first folder that is open; a bare name is looked up in PATH.
function command() {
  const named = vscode.workspace.getConfiguration("rulewright").get("command") || "rulewright";
  const folder = (vscode.workspace.workspaceFolders || [])[0];
  const bare = !named.includes("/") && !named.includes("\\");
  return bare || path.isAbsolute(named) || !folder ? named : path.join(folder.uri.fsPath, named);
}

async function start() {
  const server = { command: command(), args: ["lsp"] };
  client = new LanguageClient("rulewright", "Rulewright", server, {
    documentSelector: [
      { scheme: "file", language: "rulewright" },
      { scheme: "file", language: "yaml", pattern: DATA },
    ],
    initializationOptions: { language: vscode.workspace.getConfiguration("rulewright").get("language") },
    synchronize: {
      fileEvents: [vscode.workspace.createFileSystemWatcher(FILES), vscode.workspace.createFileSystemWatcher(DATA)],
    },
  });
  try {
    await client.start();
  } catch (fault) {
    client = undefined;
    vscode.window.showErrorMessage(
      `'${server.command} lsp' could not be started (${fault.message}). Install rulewright with its extra 'lsp', ` +
        "or name the command in the setting rulewright.command."
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulewright.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("rulewright") && restart())
  );
  await start();
}

module.exports = { activate, deactivate: stop };
