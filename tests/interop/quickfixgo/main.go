// A QuickFIX/Go initiator with one session, driven by lines (tests/interop/driver.ts holds the protocol).
// In: "send 35=D|11=…|", "logout", "expect N", "quit". Out: "on", "off", "app …|", "admin …|", "sent …|", "error …".
// With a further argument, a folder, the session lasts: its store and the engine's log lie there, a Logon goes on with
// the numbers of before, and what is sent while there is no connection is kept for the next.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/quickfixgo/quickfix"
	"github.com/quickfixgo/quickfix/datadictionary"
	logfile "github.com/quickfixgo/quickfix/log/file"
	storefile "github.com/quickfixgo/quickfix/store/file"
)

const (
	tagMsgSeqNum = quickfix.Tag(34)
	tagMsgType   = quickfix.Tag(35)
	tagUsername  = quickfix.Tag(553)
	tagPassword  = quickfix.Tag(554)
)

var stdout sync.Mutex

func printLine(kind string, message *quickfix.Message) {
	stdout.Lock()
	defer stdout.Unlock()
	fmt.Println(strings.ReplaceAll(kind+message.String(), "\x01", "|"))
}

func printWord(word string) {
	stdout.Lock()
	defer stdout.Unlock()
	fmt.Println(word)
}

type client struct{ username, password string }

func (c client) OnCreate(quickfix.SessionID) {}
func (c client) OnLogon(quickfix.SessionID)  { printWord("on") }
func (c client) OnLogout(quickfix.SessionID) { printWord("off") }

func (c client) ToAdmin(message *quickfix.Message, _ quickfix.SessionID) {
	if kind, err := message.Header.GetString(tagMsgType); err == nil && kind == "A" {
		message.Body.SetString(tagUsername, c.username)
		message.Body.SetString(tagPassword, c.password)
		return
	}
	printLine("sent ", message)
}

func (c client) FromAdmin(message *quickfix.Message, _ quickfix.SessionID) quickfix.MessageRejectError {
	printLine("admin ", message)
	return nil
}

func (c client) ToApp(message *quickfix.Message, _ quickfix.SessionID) error {
	// The message prints as what it was parsed from, which had no number.
	number, err := message.Header.GetString(tagMsgSeqNum)
	if err == nil {
		printLine("sent 34="+number+"\x01", message)
	}
	return err
}

func (c client) FromApp(message *quickfix.Message, _ quickfix.SessionID) quickfix.MessageRejectError {
	printLine("app ", message)
	return nil
}

func parse(text string, dictionary *datadictionary.DataDictionary) (*quickfix.Message, error) {
	body := strings.ReplaceAll(text, "|", "\x01")
	raw := fmt.Sprintf("8=FIX.4.4\x019=%d\x01%s10=000\x01", len(body), body)
	message := quickfix.NewMessage()
	err := quickfix.ParseMessageWithDataDictionary(message, bytes.NewBufferString(raw), nil, dictionary)
	return message, err
}

func settings(host, port, sender, target, dictionary, folder string) (*quickfix.Settings, quickfix.SessionID, error) {
	lasting := "ResetOnLogon=Y"
	if folder != "" {
		lasting = "ResetOnLogon=N\nFileStorePath=" + folder + "\nFileStoreSync=N\nFileLogPath=" + folder
	}
	text := fmt.Sprintf(`[DEFAULT]
ConnectionType=initiator
HeartBtInt=30
ReconnectInterval=1
SocketConnectHost=%s
SocketConnectPort=%s
DataDictionary=%s
ValidateUserDefinedFields=Y
%s
[SESSION]
BeginString=FIX.4.4
SenderCompID=%s
TargetCompID=%s
`, host, port, dictionary, lasting, sender, target)
	parsed, err := quickfix.ParseSettings(strings.NewReader(text))
	id := quickfix.SessionID{BeginString: "FIX.4.4", SenderCompID: sender, TargetCompID: target}
	return parsed, id, err
}

// expect changes a stored number. The session itself is unknown once it is logged out for good.
func expect(text string, stores quickfix.MessageStoreFactory, id quickfix.SessionID) error {
	number, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	store, err := stores.Create(id)
	if err != nil {
		return err
	}
	defer store.Close()
	return store.SetNextTargetMsgSeqNum(number)
}

func run(args []string) error {
	if len(args) < 7 || len(args) > 8 {
		return fmt.Errorf("usage: client HOST PORT SENDER TARGET USERNAME PASSWORD DICTIONARY [FOLDER]")
	}
	folder := strings.Join(args[7:], "")
	parsed, id, err := settings(args[0], args[1], args[2], args[3], args[6], folder)
	if err != nil {
		return err
	}
	store, log := quickfix.NewMemoryStoreFactory(), quickfix.NewNullLogFactory()
	if folder != "" {
		store = storefile.NewStoreFactory(parsed)
		if log, err = logfile.NewLogFactory(parsed); err != nil {
			return err
		}
	}
	dictionary, err := datadictionary.Parse(args[6])
	if err != nil {
		return err
	}
	initiator, err := quickfix.NewInitiator(client{args[4], args[5]}, store, parsed, log)
	if err != nil {
		return err
	}
	if err := initiator.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "quit":
			initiator.Stop()
			return nil
		case line == "logout":
			initiator.Stop()
		case strings.HasPrefix(line, "send "):
			var message *quickfix.Message
			if message, err = parse(line[5:], dictionary); err == nil {
				err = quickfix.SendToTarget(message, id)
			}
		case strings.HasPrefix(line, "expect "):
			err = expect(line[7:], store, id)
		default:
			err = fmt.Errorf("unknown line: %s", line)
		}
		if err != nil {
			printWord("error " + err.Error())
		}
	}
	return lines.Err()
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
