package clitest

// Settings is a configuration file in which every kind of setting has a value.
const Settings = `profile: prod
theme: light
mouse: true
hints:
  - "/app/*=lock"
keys: {quit: [Q]}
profiles:
  prod:
    servers: zk1:2181,zk2:2181/prod
    production: true
    read-only: true
    auth-command: [/bin/false, "--secret"]
    auth-file: /nowhere/secret
    tls-min: "1.3"
  test: {servers: "t:2181"}
`
