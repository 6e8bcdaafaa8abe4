/// `import UIKit` brings Foundation along, and so does this.
@_exported import Foundation
